"""What all tests need."""

import signal

# Tests press Ctrl-C. A program that a shell has started in the background may ignore SIGINT, and then Python installs no
# handler for it.
signal.signal(signal.SIGINT, signal.default_int_handler)
