package dev.equipoise.agent.network.step;

/**
 * Layer of a program, bound to the memory of one batch size. The forward pass reads the input's
 * values and writes the output's; the backward pass reads the output's gradient, and overwrites the
 * input's gradient and the layer's part of the flat gradient. Both may overwrite data that the
 * other no longer needs.
 */
public interface Step {

    void forward();

    void backward();

    /** Forward pass of an evaluation. */
    default void infer() {
        forward();
    }
}
