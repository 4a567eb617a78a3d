"""The front page, and what all pages share: style, logo, scripts and security policy."""
