package dev.equipoise.app.filter;

import java.util.Arrays;
import java.util.Optional;

/** Comparison of a field with a value. */
public enum Operator {
    EQUAL("="),
    UNEQUAL("!="),
    LESS("<"),
    AT_MOST("<="),
    MORE(">"),
    AT_LEAST(">="),
    /** Contains the text, in upper or lower case. */
    CONTAINS("~"),
    LACKS("!~");

    private final String symbol;

    Operator(String symbol) {
        this.symbol = symbol;
    }

    public String symbol() {
        return symbol;
    }

    static Optional<Operator> of(String symbol) {
        return Arrays.stream(values()).filter(it -> it.symbol.equals(symbol)).findFirst();
    }

    /** Returns whether the comparison is the negation of another one. */
    boolean isNegative() {
        return this == UNEQUAL || this == LACKS;
    }

    Operator positive() {
        return switch (this) {
            case UNEQUAL -> EQUAL;
            case LACKS -> CONTAINS;
            default -> this;
        };
    }
}
