package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/**
 * Event that an agent reports about its assignment. Its subtypes tell to which kind of assignment
 * an event belongs; an {@link Outcome} is the last event.
 */
@JsonTypeInfo(
        use = JsonTypeInfo.Id.NAME,
        property = "type",
        visible = true,
        defaultImpl = AgentEvent.Unknown.class)
@JsonSubTypes({
    @JsonSubTypes.Type(value = ProfileReport.PointMeasured.class, name = "point-measured"),
    @JsonSubTypes.Type(value = LinkReport.LinkMeasured.class, name = "link-measured"),
    @JsonSubTypes.Type(value = LinkReport.AllReduceMeasured.class, name = "all-reduce-measured"),
    @JsonSubTypes.Type(value = RunReport.ReplicaReady.class, name = "replica-ready"),
    @JsonSubTypes.Type(value = RunReport.RoundReached.class, name = "round-reached"),
    @JsonSubTypes.Type(value = RunReport.Observed.class, name = "observed"),
    @JsonSubTypes.Type(value = EpochFinished.class, name = "epoch-finished"),
    @JsonSubTypes.Type(value = RunReport.PhasesElapsed.class, name = "phases-elapsed"),
    @JsonSubTypes.Type(value = RunReport.Traced.class, name = "traced"),
    @JsonSubTypes.Type(value = RunReport.Decided.class, name = "decided"),
    @JsonSubTypes.Type(value = RunReport.Noted.class, name = "noted"),
    @JsonSubTypes.Type(value = Outcome.Preempted.class, name = "preempted"),
    @JsonSubTypes.Type(value = Outcome.Interrupted.class, name = "interrupted"),
    @JsonSubTypes.Type(value = Outcome.Finished.class, name = "finished"),
    @JsonSubTypes.Type(value = Outcome.Failed.class, name = "failed")
})
public sealed interface AgentEvent
        permits RunReport, ProfileReport, LinkReport, Outcome, AgentEvent.Unknown {

    /** Returns the number of figures in the event's long lists. */
    @JsonIgnore
    default int bulk() {
        return 0;
    }

    /**
     * Event of an unknown type, from a newer sender. The reader ignores it, since rejecting it
     * would also lose the events behind it. It is never the last event.
     *
     * @param type name of the type
     */
    @JsonTypeName("unknown")
    record Unknown(@JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String type)
            implements AgentEvent {

        private static final int MAX_TYPE = 100;

        public Unknown {
            Rules.metric("type", type, MAX_TYPE);
        }
    }
}
