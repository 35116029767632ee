package dev.equipoise.app.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.RunReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@RunningService
class AssignmentLeasesIT {

    private static final String ONE_REPLICA =
            """
            {"apiVersion": "equipoise/v1", "name": "run", "dataset": {"name": "mnist", "limit": 3000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
             "workers": {"replicas": 1}, "restarts": 0}
            """;

    private final TestingLab lab;
    private final TestingLab.Project project;
    private final AssignmentLeases leases;

    AssignmentLeasesIT(@Autowired TestingLab lab, @Autowired AssignmentLeases leases) {
        this.lab = lab;
        this.project = lab.project();
        this.leases = leases;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** The long poll of a killed process may end after the next process has begun its work. */
    @Test
    void requestThatHasWaitedDoesNotEndTheAssignmentOfTheNextProcess() {
        TestingAgent agent = lab.agents(1).getFirst();
        String run = project.submitOne(ONE_REPLICA);
        Assignment.Training assignment = agent.training();
        agent.tell(assignment, new RunReport.ReplicaReady(0, 0, "start"));

        assertThat(leases.claimAgain(agent.id())).isEmpty();

        assertThat(project.run(run).path("failure").path("code").isMissingNode()).isTrue();
        agent.tell(assignment, new RunReport.RoundReached(0, 1, 1));
    }

    @Test
    void requestThatHasWaitedLeasesAnAssignmentWithoutReports() {
        TestingAgent agent = lab.agents(1).getFirst();
        project.submitOne(ONE_REPLICA);
        Assignment.Training assignment = agent.training();

        assertThat(leases.claimAgain(agent.id()).map(Assignment::id)).contains(assignment.id());
    }
}
