package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** When and with whom replicas agree. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes(@JsonSubTypes.Type(value = Synchronization.Bsp.class, name = "bsp"))
public sealed interface Synchronization {

    /** Bulk-synchronous: every round ends with one sample-weighted mean of all gradients. */
    record Bsp() implements Synchronization {}
}
