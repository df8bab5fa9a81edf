# frozen_string_literal: true

require_relative 'fairlead/helper/fairlead_command'
require_relative 'fairlead/actions/fairlead_upload_action'
