package dev.equipoise.agent.network.step;

/** Makes steps and keeps the native objects behind them until it is closed. */
public interface Compiler extends AutoCloseable {

    /** Whether dense layers and convolutions apply a ReLU that follows at no cost. */
    boolean fusesRelu();

    /** A step for each layer that computes with weights, windows or element by element. */
    Step step(Binding binding);

    /**
     * Writes the softmax of every row, times a factor.
     *
     * @param scores rows by columns; left as it is
     */
    Runnable softmax(Tensor scores, Tensor out, float factor);

    /** out = left right, three matrices. */
    Runnable multiply(Tensor left, Tensor right, Tensor out);

    @Override
    void close();
}
