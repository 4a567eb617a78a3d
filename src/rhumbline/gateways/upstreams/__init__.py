"""What every adapter over HTTP is made of: its upstream's description, the fields of answers, shared calls."""
