"""An identity from one photo: the face is found, a head is fitted, colours and skin are taken."""
