package dev.equipoise.agent.network.step;

/**
 * One layer of a program, bound to the memory of one batch size. Forward reads the input's values
 * and writes the output's; backward reads the output's gradient, overwrites the input's and the
 * layer's part of the flat gradient. Both may overwrite what the other no longer needs.
 */
public interface Step {

    void forward();

    void backward();

    /** Forward where nothing is trained. */
    default void infer() {
        forward();
    }
}
