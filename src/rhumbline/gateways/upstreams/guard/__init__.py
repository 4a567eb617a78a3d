"""What stands between an upstream and us: its budget of calls, a bound on calls at a time, a breaker."""
