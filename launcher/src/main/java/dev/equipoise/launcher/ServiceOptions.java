package dev.equipoise.launcher;

import dev.equipoise.launcher.context.ContextFile;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that name a running service. */
public final class ServiceOptions {

    @Option(
            names = "--service",
            paramLabel = "URL",
            description = "use this service (default: $EQUIPOISE_URL, else the current context)")
    private @Nullable String service;

    @Option(
            names = "--token",
            paramLabel = "T",
            description =
                    "token of the service, which other users can read from the list of processes"
                            + " (default: $EQUIPOISE_TOKEN if --service or $EQUIPOISE_URL names the"
                            + " service, unless $EQUIPOISE_URL names another one; else that of the"
                            + " context of the service)")
    private @Nullable String token;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description =
                    "PEM file with certificate authorities, which alone may then certify an https"
                            + " service (default: $EQUIPOISE_CA if --service or $EQUIPOISE_URL"
                            + " names the service, unless $EQUIPOISE_URL names another one; else"
                            + " that of the context of the service, else those of the JDK)")
    private @Nullable Path ca;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "use the service of this context, as 'login' stored it (default: none)")
    private @Nullable String context;

    /** Returns whether an option names the service, or its certificate authorities. */
    boolean isGiven() {
        return service != null || context != null || ServiceEndpoint.given(ca).isPresent();
    }

    /**
     * Returns the service that the options, the environment or the contexts name, if they do.
     *
     * @throws UsageError if the URL is malformed, the token or the context is missing, or
     *     certificate authorities are given without a service that has a certificate
     */
    public Optional<Connection> named() {
        return new ConnectionChoice(
                        service,
                        token,
                        ca,
                        context,
                        System.getenv(),
                        ContextFile.ofUser(System.getenv()).read())
                .chosen();
    }

    /**
     * Returns the service of a command that needs one.
     *
     * @throws UsageError if none is named, or as {@link #named}
     */
    public Connection required() {
        return named().orElseThrow(() ->
                new UsageError(
                        "no service is named: log in with 'equipoise login URL', or set"
                                + " EQUIPOISE_URL and EQUIPOISE_TOKEN"));
    }
}
