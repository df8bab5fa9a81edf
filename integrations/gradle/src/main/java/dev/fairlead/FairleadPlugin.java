package dev.fairlead;

import org.gradle.api.Plugin;
import org.gradle.api.Project;

/** Adds the block {@code fairlead} and the type of task {@link FairleadUpload} to a project. */
public class FairleadPlugin implements Plugin<Project> {
    @Override
    public void apply(Project project) {
        project.getExtensions().create("fairlead", FairleadExtension.class);
        project.getExtensions().getExtraProperties().set("FairleadUpload", FairleadUpload.class);
    }
}
