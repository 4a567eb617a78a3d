"""Simulates transactions on a node before anybody signs them."""
