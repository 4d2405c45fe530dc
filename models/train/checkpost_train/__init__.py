"""Synthesis, training and measuring of Checkpost's plate models."""
