"""The version: that of the service whose OpenAPI document the models were made of."""

VERSION = "0.1.0"
