package dev.equipoise.launcher.client;

import dev.equipoise.launcher.LabFailure;
import dev.equipoise.launcher.ServiceEndpoint;
import dev.equipoise.launcher.UsageError;
import dev.equipoise.launcher.context.Context;
import dev.equipoise.launcher.context.ContextFile;
import dev.equipoise.launcher.context.Contexts;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Deletes a context, and revokes the token that {@code login} created for it. */
@Command(
        name = "logout",
        description =
                "Deletes a context. A token that 'login --user' created is revoked; a token that"
                        + " you entered stays valid.",
        mixinStandardHelpOptions = true)
final class Logout implements Callable<Integer> {

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "name of the context (default: the current one)")
    private @Nullable String name;

    @Spec private @Nullable CommandSpec command;

    @Override
    public Integer call() {
        PrintWriter err =
                Objects.requireNonNull(command, "picocli sets the command").commandLine().getErr();
        ContextFile file = ContextFile.ofUser(System.getenv());
        Contexts contexts = file.read();
        String chosen = name == null ? contexts.current() : name;
        if (chosen == null) {
            throw new UsageError(
                    "no context is current: add --context with one of "
                            + contexts.contexts().keySet());
        }
        int status = end(chosen, contexts, file, err);
        err.println("equipoise: deleted the context " + chosen);
        return status;
    }

    /** Deletes the context also if the service does not revoke its token. */
    static int end(String name, Contexts contexts, ContextFile file, PrintWriter err) {
        Context context =
                contexts.named(name)
                        .orElseThrow(() ->
                                new UsageError(
                                        "there is no context %s; the contexts are %s"
                                                .formatted(name, contexts.contexts().keySet())));
        file.write(contexts.without(name));
        return revoke(context, err) ? ExitStatus.OK : ExitStatus.FAILED;
    }

    /** Returns whether no token that {@code login} created is left. */
    static boolean revoke(Context context, PrintWriter err) {
        String issued = context.issued();
        if (issued == null) {
            return true;
        }
        try (var api = ServiceEndpoint.of(context).api(context.token())) {
            api.delete("tokens/" + issued);
            return true;
        } catch (LabFailure | UsageError failure) {
            err.printf(
                    "equipoise: the token %s is not revoked: %s%n", issued, failure.getMessage());
            return false;
        }
    }
}
