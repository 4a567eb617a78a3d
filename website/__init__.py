"""The guide: `make site` builds docs/ into static files, which the service serves at /docs/guide/."""
