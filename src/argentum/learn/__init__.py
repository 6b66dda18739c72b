"""Training: one network for all decks and numbers of players, by imitation and self-play.

Used by `argentum train`; `docs/learning.md` explains the methods. Needs the extra `learn` (PyTorch). Exported networks
play without PyTorch (:mod:`argentum.bots.network.files`).
"""
