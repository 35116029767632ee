/** What runs came to, in the forms of MLflow: as calls of its REST API, and as a folder of its. */
@ApplicationModule(allowedDependencies = {"account", "experiment", "run"})
@NullMarked
package dev.equipoise.app.mlflow;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
