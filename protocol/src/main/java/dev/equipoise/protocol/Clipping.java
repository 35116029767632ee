package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * How a gradient is kept from growing too large; it is the gradient that all replicas agreed on.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Clipping.None.class, name = "none"),
    @JsonSubTypes.Type(value = Clipping.Norm.class, name = "norm"),
    @JsonSubTypes.Type(value = Clipping.Value.class, name = "value")
})
public sealed interface Clipping {

    /** As it is. */
    record None() implements Clipping {}

    /** Scaled, as a whole, to a Euclidean norm of at most {@code limit}. */
    record Norm(double limit) implements Clipping {

        public Norm {
            Rules.atLeast("limit", limit, Float.MIN_NORMAL);
        }
    }

    /** Each element cut to within {@code limit} of zero. */
    record Value(double limit) implements Clipping {

        public Value {
            Rules.atLeast("limit", limit, Float.MIN_NORMAL);
        }
    }
}
