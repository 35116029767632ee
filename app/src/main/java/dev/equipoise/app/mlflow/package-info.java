/** Export of runs to MLflow: as calls of its REST API, and as a folder of its file store. */
@ApplicationModule(
        allowedDependencies = {
            "account",
            "configuration",
            "experiment",
            "run",
            "prediction",
            "recovery"
        })
@NullMarked
package dev.equipoise.app.mlflow;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
