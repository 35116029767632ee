/** Trained models: their files, predictions with them, and their export to ONNX. */
@NullMarked
package dev.equipoise.agent.model;

import org.jspecify.annotations.NullMarked;
