package dev.equipoise.launcher;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that name a running service, which a command uses in place of starting one. */
final class SiteOptions {

    @Mixin private final ServiceOptions service = new ServiceOptions();

    @Option(
            names = "--local",
            description =
                    "start a lab on this machine, although a variable or a context names a service")
    private boolean local;

    /**
     * Returns the service that the options, the environment or the contexts name, if they do.
     *
     * @param project the project of the runs, by its name or id; null for the only one
     * @throws UsageError if the URL is malformed, the token or the context is missing, or a project
     *     of no service is named
     */
    Optional<Site> named(@Nullable String project) {
        if (local && service.isGiven()) {
            throw new UsageError(
                    "--local starts a lab: omit --service, --context and --ca, or --local");
        }
        Optional<Connection> connection = local ? Optional.empty() : service.named();
        if (connection.isEmpty() && project != null) {
            throw new UsageError(
                    "--project names a project of a service: log in, or add --service");
        }
        return connection.map(it -> site(it, project));
    }

    private static Site site(Connection connection, @Nullable String project) {
        if (connection.context() != null) {
            System.err.printf(
                    "equipoise: using %s of the context %s; --local starts a lab instead%n",
                    connection.service().address(), connection.context());
        }
        return new RemoteSite(connection, project);
    }
}
