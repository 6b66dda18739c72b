"""Learning to play: a network for all decks and seats, trained by imitation and self-play.

`argentum train` is the way in; `docs/learning.md` says what it does and why. It needs the extra `learn` (PyTorch); the
network that comes of it is a file for ONNX Runtime, which plays without PyTorch (:mod:`argentum.bots.network.files`).
"""
