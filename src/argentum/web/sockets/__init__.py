"""WebSocket connections: admission, messages and updates."""
