/**
 * File of a trained model: safetensors, whose tensors have the names and layouts of a PyTorch state
 * dict. The service stores such files, and the agents write and read them.
 */
@NullMarked
package dev.equipoise.protocol.model;

import org.jspecify.annotations.NullMarked;
