package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import org.hibernate.annotations.BatchSize;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

/**
 * Which workers one sees. All that are in one cluster see the same, which is kept once: in a lab of
 * hundreds it is longer than anything else that is known of a worker.
 */
@Entity
@Immutable
@BatchSize(size = 100)
class Sight {

    private static final int BYTES_OF_AN_ID = 2 * Long.BYTES;

    @Id private String digest;

    @JdbcTypeCode(SqlTypes.JSON)
    private Set<WorkerId> workers;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected Sight() {}

    private Sight(String digest, Set<WorkerId> workers) {
        this.digest = digest;
        this.workers = workers;
    }

    static Sight of(Set<WorkerId> workers) {
        ByteBuffer ids = ByteBuffer.allocate(workers.size() * BYTES_OF_AN_ID);
        workers.stream()
                .map(WorkerId::value)
                .sorted()
                .forEach(id ->
                        ids.putLong(id.getMostSignificantBits())
                                .putLong(id.getLeastSignificantBits()));
        return new Sight(digest(ids.array()), Set.copyOf(workers));
    }

    private static String digest(byte[] ids) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(ids));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    String digest() {
        return digest;
    }

    /** The same object for all who ask, so that those who see the same share it. */
    Set<WorkerId> workers() {
        workers = Set.copyOf(workers);
        return workers;
    }
}
