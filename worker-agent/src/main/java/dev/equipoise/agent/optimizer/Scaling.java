package dev.equipoise.agent.optimizer;

/**
 * Factors that the vectors of a step contain. A limit of clipping is one of the gradient itself,
 * and a coupled weight decay adds the weights themselves to it.
 *
 * @param gradient above 0
 * @param weights above 0, such as the mass of push-sum
 */
public record Scaling(double gradient, double weights) {

    public static final Scaling NONE = new Scaling(1, 1);

    public static Scaling ofGradient(double factor) {
        return new Scaling(factor, 1);
    }

    public static Scaling ofWeights(double factor) {
        return new Scaling(1, factor);
    }
}
