package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** Gradient clipping, applied to the gradient that all replicas share. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Clipping.None.class, name = "none"),
    @JsonSubTypes.Type(value = Clipping.Norm.class, name = "norm"),
    @JsonSubTypes.Type(value = Clipping.Value.class, name = "value")
})
public sealed interface Clipping {

    /** No clipping. */
    record None() implements Clipping {}

    /**
     * Scales the whole gradient to a Euclidean norm of at most {@code limit}.
     *
     * @param limit greatest Euclidean norm
     */
    record Norm(double limit) implements Clipping {

        public Norm {
            Rules.atLeast("limit", limit, Float.MIN_NORMAL);
        }
    }

    /**
     * Clips each element to [-limit, limit].
     *
     * @param limit greatest magnitude of an element
     */
    record Value(double limit) implements Clipping {

        public Value {
            Rules.atLeast("limit", limit, Float.MIN_NORMAL);
        }
    }
}
