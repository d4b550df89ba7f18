"""`python -m web.command`, for child processes and checkouts that are not installed."""

import sys

from web.command.main import main

sys.exit(main())
