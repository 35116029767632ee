package dev.equipoise.app.run;

import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.MeasuredLink;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

/**
 * Measurements that a placement used: the links between the ranks, if the topology or the codec
 * follows them, and the speeds of the worker, if a virtual run follows them. They have a table of
 * their own, since they take some hundred kB for many ranks and only agents read them.
 */
@Entity
class RunMeasurements {

    @SuppressWarnings("UnusedVariable") // read by queries alone
    @Id
    private UUID runId;

    @JdbcTypeCode(SqlTypes.JSON)
    private List<MeasuredLink> links;

    @JdbcTypeCode(SqlTypes.JSON)
    private List<Execution.Speed> speeds;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected RunMeasurements() {}

    RunMeasurements(UUID run, List<MeasuredLink> links, List<Execution.Speed> speeds) {
        this.runId = run;
        this.links = List.copyOf(links);
        this.speeds = List.copyOf(speeds);
    }

    List<MeasuredLink> links() {
        return links;
    }

    /** Adds the measured speeds to a virtual execution that defines none. */
    Execution execution(Execution wanted) {
        return wanted instanceof Execution.Virtual(var given, var jitter, var link)
                        && given.isEmpty()
                ? new Execution.Virtual(speeds, jitter, link)
                : wanted;
    }
}
