"""What a host on air says next: the rundown, viewers' questions, greetings, thanks."""
