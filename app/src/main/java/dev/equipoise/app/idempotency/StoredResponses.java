package dev.equipoise.app.idempotency;

import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Repository;

/**
 * Stores the responses of the last day, by the database's clock and in the caller's transaction.
 */
@Repository
class StoredResponses {

    private static final Duration LIFETIME = Duration.ofDays(1);

    private final JdbcClient database;

    StoredResponses(JdbcClient database) {
        this.database = database;
    }

    /** The state of a key. */
    sealed interface Known {

        /** The key was free and belongs to the caller until the transaction ends. */
        record Claimed() implements Known {}

        record Answered(StoredResponse answer) implements Known {}

        /** The key belongs to a request with another content. */
        record Other() implements Known {}
    }

    /**
     * Claims a key. A concurrent request with the same key waits here until the first has its
     * response.
     */
    Known claim(ResponseSealer seal, String key, byte[] fingerprint) {
        int claimed =
                database.sql(
                                """
                                insert into kept_answer (owner, idempotency_key, fingerprint, made_at)
                                values (:owner, :key, :fingerprint, now())
                                on conflict do nothing
                                """)
                        .param("owner", seal.owner())
                        .param("key", key)
                        .param("fingerprint", fingerprint)
                        .update();
        return claimed == 1
                ? new Known.Claimed()
                : database.sql(
                                """
                                select * from kept_answer where owner = :owner and idempotency_key = :key
                                """)
                        .param("owner", seal.owner())
                        .param("key", key)
                        .query((row, _) -> known(row, seal, key, fingerprint))
                        .single();
    }

    private static Known known(ResultSet row, ResponseSealer seal, String key, byte[] fingerprint)
            throws SQLException {
        return MessageDigest.isEqual(row.getBytes("fingerprint"), fingerprint)
                ? new Known.Answered(
                        new StoredResponse(
                                row.getInt("status"),
                                row.getString("content_type"),
                                row.getString("location"),
                                new StoredResponse.Body(seal.open(key, row.getBytes("body")))))
                : new Known.Other();
    }

    /** Stores the response to a request whose key was claimed. */
    void keep(ResponseSealer seal, String key, StoredResponse answer) {
        database.sql(
                        """
                        update kept_answer
                        set status = :status, content_type = :type, location = :location, body = :body
                        where owner = :owner and idempotency_key = :key
                        """)
                .param("status", answer.status())
                .param("type", answer.contentType())
                .param("location", answer.location())
                .param("body", seal.close(key, answer.body().bytes()))
                .param("owner", seal.owner())
                .param("key", key)
                .update();
    }

    /** Deletes responses older than a day, which frees their keys. */
    @Scheduled(fixedDelayString = "PT10M")
    void forget() {
        database.sql("delete from kept_answer where made_at < now() - make_interval(secs => :kept)")
                .param("kept", LIFETIME.toSeconds())
                .update();
    }

    static Optional<String> rule(String key) {
        return key.matches("[\\x21-\\x7e]{1,255}")
                ? Optional.empty()
                : Optional.of("Idempotency-Key must be 1 to 255 printable ASCII characters");
    }
}
