"""The front page, and what all our own pages share: style, logo, scripts, and the policy they run under."""
