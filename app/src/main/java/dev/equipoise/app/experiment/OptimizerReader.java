package dev.equipoise.app.experiment;

import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Schedule;
import java.util.List;

/** Reads the optimizer of a definition with its schedule and clipping. */
final class OptimizerReader {

    /**
     * The smallest positive value: optimizers compute in float, in which smaller values lose
     * precision or become zero.
     */
    private static final double MIN_POSITIVE = Float.MIN_NORMAL;

    private static final double MAX_RATE = 1000;
    private static final double MAX_WEIGHT_DECAY = 1000;
    private static final double MAX_LIMIT = 1e9;

    /** The largest decay factor: in float, larger ones would round to 1. */
    private static final double MAX_KEPT = 0.999999;

    private final JsonFieldReader optimizer;
    private final int epochs;

    private OptimizerReader(JsonFieldReader optimizer, int epochs) {
        this.optimizer = optimizer;
        this.epochs = epochs;
    }

    static OptimizerSpec read(JsonFieldReader training, int epochs) {
        return new OptimizerReader(training.choice("optimizer"), epochs).read();
    }

    private OptimizerSpec read() {
        String kind = optimizer.kind("sgd", List.of("sgd", "adam", "adamw"));
        OptimizerSpec spec =
                switch (kind) {
                    case "adam" -> adam();
                    case "adamw" -> adamW();
                    default -> sgd();
                };
        optimizer.end();
        return spec;
    }

    private OptimizerSpec sgd() {
        double learningRate = learningRate(0.05);
        double momentum = optimizer.number("momentum", 0.0, 0, MAX_KEPT);
        boolean nesterov = optimizer.flag("nesterov", false);
        if (nesterov && momentum == 0) {
            optimizer.reject("nesterov", "must be false with momentum 0: set a momentum above 0");
        }
        return new OptimizerSpec.Sgd(
                learningRate,
                momentum,
                nesterov && momentum > 0,
                coupledDecay(),
                schedule(),
                clipping());
    }

    private OptimizerSpec adam() {
        return new OptimizerSpec.Adam(
                learningRate(0.001),
                beta1(),
                beta2(),
                epsilon(),
                coupledDecay(),
                schedule(),
                clipping());
    }

    private OptimizerSpec adamW() {
        return new OptimizerSpec.AdamW(
                learningRate(0.001),
                beta1(),
                beta2(),
                epsilon(),
                optimizer.number("weightDecay", 0.01, 0, MAX_WEIGHT_DECAY),
                schedule(),
                clipping());
    }

    /** Reads the weight decay that joins the gradient; 0 by default. */
    private double coupledDecay() {
        double decay = optimizer.number("weightDecay", 0.0, 0, MAX_WEIGHT_DECAY);
        if (decay > 0 && decay < MIN_POSITIVE) {
            optimizer.reject(
                    "weightDecay",
                    "must be 0 or from %s to %s".formatted(MIN_POSITIVE, MAX_WEIGHT_DECAY));
            return 0;
        }
        return decay;
    }

    private double learningRate(double fallback) {
        return optimizer.number("learningRate", fallback, MIN_POSITIVE, MAX_RATE);
    }

    private double beta1() {
        return optimizer.number("beta1", 0.9, 0, MAX_KEPT);
    }

    private double beta2() {
        return optimizer.number("beta2", 0.999, 0, MAX_KEPT);
    }

    private double epsilon() {
        return optimizer.number("epsilon", 1e-8, MIN_POSITIVE, 1);
    }

    private Schedule schedule() {
        JsonFieldReader schedule = optimizer.choice("schedule");
        String kind = schedule.kind("constant", List.of("constant", "step", "cosine"));
        double warmUp = schedule.number("warmUp", 0.0, 0, epochs);
        Schedule read =
                switch (kind) {
                    case "step" -> step(schedule, warmUp);
                    case "cosine" ->
                            new Schedule.Cosine(schedule.number("floor", 0.0, 0, 1), warmUp);
                    default -> new Schedule.Constant(warmUp);
                };
        schedule.end();
        return read;
    }

    private static Schedule step(JsonFieldReader schedule, double warmUp) {
        return new Schedule.Step(
                schedule.integer("every", null, 1, DefinitionLimits.MAX_EPOCHS),
                schedule.number("factor", 0.1, MIN_POSITIVE, 1),
                warmUp);
    }

    private Clipping clipping() {
        JsonFieldReader clipping = optimizer.choice("clipping");
        String kind = clipping.kind("none", List.of("none", "norm", "value"));
        Clipping read =
                switch (kind) {
                    case "norm" -> new Clipping.Norm(limit(clipping));
                    case "value" -> new Clipping.Value(limit(clipping));
                    default -> new Clipping.None();
                };
        clipping.end();
        return read;
    }

    private static double limit(JsonFieldReader clipping) {
        return clipping.number("limit", null, MIN_POSITIVE, MAX_LIMIT);
    }
}
