package dev.equipoise.app.account;

import dev.equipoise.protocol.Credential;

/** What a token is for; the prefix lets people and scanners recognise one. */
enum TokenKind {
    /** The lab, or one project. */
    USER("eqp_"),
    /** One registration of a worker. */
    JOIN("eqj_"),
    /** The assignments of one worker. */
    WORKER(Credential.PREFIX);

    private final String prefix;

    TokenKind(String prefix) {
        this.prefix = prefix;
    }

    String prefix() {
        return prefix;
    }
}
