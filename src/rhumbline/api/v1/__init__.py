"""The API itself: a module a resource, which reads its requests and writes its answers; health pages too."""
