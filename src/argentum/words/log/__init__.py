"""Log sentences, one per action."""
