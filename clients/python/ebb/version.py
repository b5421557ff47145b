"""What this client calls itself."""

VERSION = "0.1.0"
CLIENT = "ebb-python/" + VERSION
