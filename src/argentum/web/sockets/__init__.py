"""WebSocket connections, and what each reader is sent."""
