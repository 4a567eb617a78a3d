"""Redis or Valkey: counters and budgets that several processes share."""
