package dev.equipoise.launcher.client;

import dev.equipoise.launcher.Connection;
import dev.equipoise.launcher.LabFailure;
import dev.equipoise.launcher.RequestRejected;
import dev.equipoise.launcher.ServiceEndpoint;
import dev.equipoise.launcher.UsageError;
import dev.equipoise.launcher.context.Context;
import dev.equipoise.launcher.context.ContextFile;
import dev.equipoise.launcher.context.Contexts;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Stores a service and a token as a context, which other commands then use. */
@Command(
        name = "login",
        description = {
            "Stores a service and a token as the current context, which other commands then use.",
            "It asks for the token, or with --user for a password, or reads it from the first line"
                    + " of standard input. A password is exchanged for a token, which 'logout'"
                    + " revokes; the password is not stored."
        },
        mixinStandardHelpOptions = true)
final class Login implements Callable<Integer> {

    private static final String NAME = "[\\w.:@/~-]{1,100}";

    /** Characters of the name of a host in the name of a token. */
    private static final int MAX_HOST = 64;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "name of the context (default: the host, port and path of the URL)")
    private @Nullable String name;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description =
                    "PEM file with certificate authorities, which alone may then certify an https"
                            + " service; the context has its path (default: $EQUIPOISE_CA, else"
                            + " those of the JDK)")
    private @Nullable Path ca;

    @Option(
            names = "--user",
            paramLabel = "USER",
            description = "sign in with a name and a password")
    private @Nullable String user;

    @Mixin private final Expiry expiry = new Expiry();

    @Parameters(
            paramLabel = "URL",
            description = "address of the service, http://HOST:PORT or https://HOST/PATH")
    private String url = "";

    @Spec private @Nullable CommandSpec command;

    @Override
    public Integer call() {
        ServiceEndpoint service = endpoint(Connection.address(url.strip()));
        String chosen = nameOf(name, service.address());
        ContextFile file = ContextFile.ofUser(System.getenv());
        // A damaged file is found before there is a token that it cannot have.
        var _ = file.read();
        Context context = user == null ? ofToken(service) : ofPassword(service, user);
        String caller = store(file, chosen, context);
        say("logged in to %s as %s (context %s)".formatted(service.address(), caller, chosen));
        warnIfReadable(service.address());
        return ExitStatus.OK;
    }

    private ServiceEndpoint endpoint(URI address) {
        return new ServiceEndpoint(
                address, ServiceEndpoint.caOf(ca, System.getenv(), address).orElse(null));
    }

    /**
     * Returns the name of the context: that of the option, or else host, port and path of the
     * service.
     *
     * @throws UsageError if it has other characters, or too many
     */
    static String nameOf(@Nullable String option, URI service) {
        String chosen = option == null ? service.toString().replaceFirst("https?://", "") : option;
        if (!chosen.matches(NAME)) {
            throw new UsageError(
                    "--context must have up to 100 letters, digits and characters . : @ / ~ - _,"
                            + " but was "
                            + chosen);
        }
        return chosen;
    }

    /**
     * Stores the context of an accepted token, revokes the token of an earlier context of that
     * name, and returns the name of the caller. After a failure no context has the token, so it is
     * revoked if this command has created it.
     */
    private String store(ContextFile file, String chosen, Context context) {
        try {
            String caller = caller(context);
            replace(file, chosen, context);
            return caller;
        } catch (LabFailure | UncheckedIOException failure) {
            Logout.revoke(context, err());
            throw failure;
        }
    }

    private void replace(ContextFile file, String chosen, Context context) {
        Contexts before = file.read();
        Optional<Context> earlier = before.named(chosen);
        Context stored =
                earlier.filter(it -> it.token().equals(context.token()))
                        .map(it ->
                                new Context(
                                        context.service(), it.token(), it.issued(), context.ca()))
                        .orElse(context);
        file.write(before.with(chosen, stored));
        earlier.filter(it -> !it.token().equals(context.token()))
                .ifPresent(it -> Logout.revoke(it, err()));
    }

    private Context ofToken(ServiceEndpoint service) {
        if (expiry.isGiven()) {
            throw new UsageError(
                    "--days applies to --user: a token that you enter has its own end");
        }
        return context(service, Secrets.read("token"), null);
    }

    private Context ofPassword(ServiceEndpoint service, String user) {
        Map<String, Object> wanted = new HashMap<>(Map.of("name", "command line of " + host()));
        expiry.addTo(wanted);
        PasswordLogin.Issued issued =
                new PasswordLogin(service, err()).issue(user, Secrets.read("password"), wanted);
        return context(service, issued.token(), issued.id());
    }

    private static Context context(ServiceEndpoint service, String token, @Nullable String issued) {
        Path ca = service.ca();
        return new Context(service.address(), token, issued, ca == null ? null : ca.toString());
    }

    /** Returns the name of the caller. */
    private static String caller(Context context) {
        try (var api = ServiceEndpoint.of(context).api(context.token())) {
            JsonNode me = api.get("me");
            return me.path("name").asString("");
        } catch (RequestRejected rejected) {
            throw new LabFailure(
                    "%s does not accept the token: %s"
                            .formatted(context.service(), String.join("; ", rejected.reasons())),
                    rejected);
        }
    }

    private static String host() {
        try {
            String host = InetAddress.getLocalHost().getHostName();
            return host.substring(0, Math.min(host.length(), MAX_HOST));
        } catch (UnknownHostException unnamed) {
            return "a host without a name";
        }
    }

    private void warnIfReadable(URI service) {
        if (!service.toString().matches("https:.*|http://(localhost|127\\.|\\[::1]).*")) {
            say("the token crosses the network unencrypted: use https where others may listen");
        }
    }

    private void say(String sentence) {
        err().println("equipoise: " + sentence);
    }

    private PrintWriter err() {
        return Objects.requireNonNull(command, "picocli sets the command").commandLine().getErr();
    }
}
