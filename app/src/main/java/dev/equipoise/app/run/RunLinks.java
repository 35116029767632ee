package dev.equipoise.app.run;

import dev.equipoise.protocol.MeasuredLink;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

/**
 * What the links between a run's ranks cost when it was placed, where its topology follows them.
 * Beside the run, as it is some hundred kilobytes for many ranks and read by their agents alone.
 */
@Entity
class RunLinks {

    @SuppressWarnings("UnusedVariable") // read by queries alone
    @Id
    private UUID runId;

    @JdbcTypeCode(SqlTypes.JSON)
    private List<MeasuredLink> links;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected RunLinks() {}

    RunLinks(UUID run, List<MeasuredLink> links) {
        this.runId = run;
        this.links = List.copyOf(links);
    }

    List<MeasuredLink> links() {
        return links;
    }
}
