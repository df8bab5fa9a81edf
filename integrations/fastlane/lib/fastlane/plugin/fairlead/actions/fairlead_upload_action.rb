# frozen_string_literal: true

module Fastlane
  module Actions
    module SharedValues
      FAIRLEAD_BUILD_ID = :FAIRLEAD_BUILD_ID
      FAIRLEAD_INSTALL_URL = :FAIRLEAD_INSTALL_URL
    end

    # Uploads a build to a Fairlead server and gives it to testers.
    class FairleadUploadAction < Action
      def self.run(params)
        file = params[:file] || lane_context[:GRADLE_APK_OUTPUT_PATH] || lane_context[:IPA_OUTPUT_PATH]
        raise 'fairlead_upload needs file, because no build was made in this lane' if file.nil?

        build = Helper::FairleadCommand.run(
          Helper::FairleadCommand.upload_arguments(file, params),
          server: params[:server],
          token: params[:token],
          log: ->(line) { UI.message(line) }
        )
        lane_context[SharedValues::FAIRLEAD_BUILD_ID] = build['id']
        lane_context[SharedValues::FAIRLEAD_INSTALL_URL] = build['installUrl']
        UI.success("Build #{build['id']}: #{build['installUrl']}")
        build
      end

      def self.description
        'Uploads a build with its symbols to a Fairlead server and gives it to testers'
      end

      def self.available_options
        [
          option(:server, 'FAIRLEAD_URL', 'Address of the server', optional: false),
          option(:token, 'FAIRLEAD_TOKEN', 'API token with the role developer', optional: false, sensitive: true),
          option(:file, 'FAIRLEAD_FILE', 'The APK or IPA; that of gradle or gym in this lane unless given'),
          option(:app, 'FAIRLEAD_APP', 'Alias of the application; found by the identifier unless given'),
          option(:groups, 'FAIRLEAD_GROUPS', 'Names of the groups that get the build', type: Array),
          option(:notify, 'FAIRLEAD_NOTIFY', 'Whether the testers get a mail', type: nil, is_string: false),
          option(:notes, 'FAIRLEAD_NOTES', 'Release notes, in Markdown'),
          option(:mapping, 'FAIRLEAD_MAPPING', 'Mapping of R8'),
          option(:dsym, 'FAIRLEAD_DSYM', 'Paths of dSYMs or of an .xcarchive', type: Array),
          option(:branch, 'FAIRLEAD_BRANCH', 'Branch, where CI does not say it')
        ]
      end

      def self.option(key, env_name, description, **more)
        FastlaneCore::ConfigItem.new(key: key, env_name: env_name, description: description, optional: true, **more)
      end

      def self.return_value
        'The build as the API describes it'
      end

      def self.authors
        ['Fairlead']
      end

      def self.is_supported?(platform)
        %i[android ios].include?(platform)
      end

      def self.category
        :beta
      end
    end
  end
end
