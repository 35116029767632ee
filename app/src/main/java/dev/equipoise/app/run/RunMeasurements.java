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
 * What was known when a run was placed: what the links between its ranks cost, where its topology
 * follows them, and how fast its worker is, where a virtual run goes by that. Beside the run, as it
 * is some hundred kilobytes for many ranks and read by their agents alone.
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

    /** With the speeds that were measured, where a virtual one has none. */
    Execution execution(Execution wanted) {
        return wanted instanceof Execution.Virtual(var given, var jitter, var link)
                        && given.isEmpty()
                ? new Execution.Virtual(speeds, jitter, link)
                : wanted;
    }
}
