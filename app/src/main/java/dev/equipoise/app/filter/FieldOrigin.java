package dev.equipoise.app.filter;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Source of the values of a field. */
public enum FieldOrigin {
    /** An attribute of the resource, such as its state. */
    @JsonProperty("attribute")
    ATTRIBUTE,
    /** The resolved configuration. */
    @JsonProperty("configuration")
    CONFIGURATION,
    /** A figure that was measured or predicted. */
    @JsonProperty("result")
    RESULT
}
