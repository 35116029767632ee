package dev.equipoise.app.run;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.problem.Violation;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What runs that are about to be queued have to expect of the lab, as who places them sees it. */
public interface Prospects {

    /** The lab as it is now, looked at once for however many runs of a project. */
    Outlook of(UUID project);

    /** The same at one moment. */
    interface Outlook {

        /**
         * What keeps a run from ever beginning, whatever workers come; empty where nothing does.
         */
        List<Violation> never(RunConfiguration configuration);

        /** Why it cannot begin with all workers that there are; empty where it can. */
        Optional<Waiting> notYet(RunConfiguration configuration);
    }
}
