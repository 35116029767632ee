package dev.equipoise.app.filter;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/** Type of the values of a field. */
public enum FieldType {
    @JsonProperty("text")
    TEXT("a text"),
    /** One of a closed set of words. */
    @JsonProperty("choice")
    CHOICE("a choice"),
    /** A set of words; a comparison is true if it is true of one of them. */
    @JsonProperty("tags")
    TAGS("a set of tags"),
    @JsonProperty("id")
    ID("an id"),
    @JsonProperty("boolean")
    BOOLEAN("true or false"),
    @JsonProperty("number")
    NUMBER("a number"),
    /** A number of seconds. */
    @JsonProperty("duration")
    DURATION("a duration"),
    @JsonProperty("time")
    TIME("a time");

    private final String noun;

    FieldType(String noun) {
        this.noun = noun;
    }

    String noun() {
        return noun;
    }

    /** Returns the comparisons of such a field; a field with equality also has {@code in (...)}. */
    public List<Operator> operators() {
        return switch (this) {
            case TEXT, TAGS ->
                    List.of(Operator.EQUAL, Operator.UNEQUAL, Operator.CONTAINS, Operator.LACKS);
            case CHOICE, ID, BOOLEAN -> List.of(Operator.EQUAL, Operator.UNEQUAL);
            case NUMBER, DURATION ->
                    List.of(
                            Operator.EQUAL,
                            Operator.UNEQUAL,
                            Operator.LESS,
                            Operator.AT_MOST,
                            Operator.MORE,
                            Operator.AT_LEAST);
            // A time has microseconds, so that equality with a written one says nothing.
            case TIME -> List.of(Operator.LESS, Operator.AT_MOST, Operator.MORE, Operator.AT_LEAST);
        };
    }
}
