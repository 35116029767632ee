package dev.equipoise.agent.network.step;

/** Compiles steps, and owns their native objects until it is closed. */
public interface Compiler extends AutoCloseable {

    /** Returns whether dense layers and convolutions apply a following ReLU at no cost. */
    boolean fusesRelu();

    /** Compiles a layer that computes with weights, with windows, or element by element. */
    Step step(Binding binding);

    /**
     * Returns an operation that writes the softmax of every row, times a factor.
     *
     * @param scores rows by columns; not changed
     */
    Runnable softmax(Tensor scores, Tensor out, float factor);

    /** Returns an operation that computes the matrix product out = left right. */
    Runnable multiply(Tensor left, Tensor right, Tensor out);

    @Override
    void close();
}
