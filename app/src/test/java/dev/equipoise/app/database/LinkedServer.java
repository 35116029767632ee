package dev.equipoise.app.database;

import java.net.URI;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** Connection details of a server through a link. */
record LinkedServer(JdbcConnectionDetails server, FreezingLink link)
        implements JdbcConnectionDetails {

    /** Returns a new link to a server. */
    static FreezingLink linkTo(JdbcConnectionDetails server) {
        return FreezingLink.to(
                URI.create(server.getJdbcUrl().substring("jdbc:".length())).getPort());
    }

    @Override
    public String getJdbcUrl() {
        return server.getJdbcUrl().replaceFirst("//[^/]+/", "//127.0.0.1:" + link.port() + "/");
    }

    @Override
    public String getUsername() {
        return String.valueOf(server.getUsername());
    }

    @Override
    public String getPassword() {
        return String.valueOf(server.getPassword());
    }
}
