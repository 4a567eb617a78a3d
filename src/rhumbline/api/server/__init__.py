"""The application that is made of all of it, and the socket it listens on."""
